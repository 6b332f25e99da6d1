/** Who may create an account: anybody, invited users only, or only the holder of the service key. */
export const SIGN_UP_POLICIES = ['open', 'invitation', 'closed'] as const
export type SignUpPolicy = (typeof SIGN_UP_POLICIES)[number]
