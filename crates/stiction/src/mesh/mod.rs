//! Tetrahedral and triangle meshes.
