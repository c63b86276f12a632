//! Elastic energy densities: one file per model.
