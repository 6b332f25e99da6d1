/** The data of a sign-up. `passwordHash` is null for an account without a password. */
export interface SignUpData {
  passwordHash: string | null
  userMetadata: Record<string, unknown>
  /** Digest of the network and browser that signed up. Null when unknown or without a password. */
  signUpClient: Buffer | null
}
