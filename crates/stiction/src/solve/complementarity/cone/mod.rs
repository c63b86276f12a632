//! Coulomb friction with its exact cone.
