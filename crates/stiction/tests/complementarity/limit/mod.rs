//! Contacts with limit surfaces.

mod ellipsoid;
mod problems;
mod surfaces;
