"""Model adapters: a folder a wire, the contract they implement, and what they share."""
