//! Every state change, as a synchronous function of a transaction.
