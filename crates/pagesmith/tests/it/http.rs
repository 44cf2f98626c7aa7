//! What HTTP itself asks for: ids of requests, tags, limits, methods, health, and failure that stays orderly.

mod addresses;
mod conditional;
mod explain;
mod home;
mod http2;
mod limits;
mod methods;
mod overload;
mod races;
mod request_id;
mod streams;
mod watch;
