/** Who may create an account: everybody, only who was invited, or nobody but the holder of the service key. */
export const SIGN_UP_POLICIES = ['open', 'invitation', 'closed'] as const
export type SignUpPolicy = (typeof SIGN_UP_POLICIES)[number]
