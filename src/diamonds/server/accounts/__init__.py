"""Accounts: registration, sign-in, passkeys, devices, and data export."""
