/** What the server asks for before an action: a code of the second factor, or another sign-in. */
export type ProofKind = 'factor' | 'sign-in'

/** The refusals after which a request is repeated once the user has proved the identity. */
export const PROOF_OF_CODE: Partial<Record<string, ProofKind>> = {
  second_factor_outdated: 'factor',
  recent_sign_in_required: 'sign-in',
  // Those of the auth protocol.
  insufficient_aal: 'factor',
  reauthentication_needed: 'sign-in',
}

let answer: ((isProved: boolean) => void) | undefined
let question: { kind: ProofKind; answered: Promise<boolean> } | undefined
const listeners = new Set<() => void>()
const notify = (): void => {
  for (const listener of [...listeners]) listener()
}

/** The question for a proof of identity. Requests that need it at the same time share one dialog. */
export const proofPrompt = {
  /** Resolves to whether the user has proved it; false if the user cancels. */
  open: (kind: ProofKind): Promise<boolean> => {
    question ??= {
      kind,
      answered: new Promise<boolean>((resolve) => {
        answer = resolve
      }),
    }
    notify()
    return question.answered
  },
  close: (isProved: boolean): void => {
    answer?.(isProved)
    answer = undefined
    question = undefined
    notify()
  },
  /** Undefined while nothing is asked. */
  kind: (): ProofKind | undefined => question?.kind,
  onChange: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
