//! Linear complementarity, with and without boxes.
