const renewals = new Set<() => void>()

/** Registers what lets a part be loaded again, once an error boundary has caught its failure. */
export const renewWhenCaught = (renew: () => void): void => void renewals.add(renew)

/** Lets all parts that failed be loaded again when they are next shown. Error boundaries call it after catching. */
export function renewFailedParts(): void {
  for (const renew of renewals) renew()
  renewals.clear()
}
