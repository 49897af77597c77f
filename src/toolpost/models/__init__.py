"""Model adapters: one folder for each wire, the contract they implement, and what they share."""
