let answer: ((isVerified: boolean) => void) | undefined
let question: Promise<boolean> | undefined
const listeners = new Set<() => void>()
const notify = (): void => {
  for (const listener of [...listeners]) listener()
}

/** The question for a code of the second factor. Requests that need it at the same time share one dialog. */
export const factorPrompt = {
  /** Resolves to whether the code was verified; false if the user cancels. */
  open: (): Promise<boolean> => {
    question ??= new Promise<boolean>((resolve) => {
      answer = resolve
    })
    notify()
    return question
  },
  close: (isVerified: boolean): void => {
    answer?.(isVerified)
    answer = undefined
    question = undefined
    notify()
  },
  isOpen: (): boolean => question !== undefined,
  onChange: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
