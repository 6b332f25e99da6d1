import { type Challenge, solveChallengeWorkers } from 'altcha-lib'

/** One worker per core; more than four would make the page slow on small machines. */
const MAX_WORKERS = 4
const TIMEOUT_MS = 120_000

/** Solves a challenge in Web Workers. Returns the proof for the server, or undefined after two minutes. */
export async function solveInWorkers(challenge: Challenge): Promise<string | undefined> {
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(MAX_WORKERS, navigator.hardwareConcurrency),
    createWorker: () => new Worker(new URL('./solver-worker.ts', import.meta.url), { type: 'module' }),
    timeout: TIMEOUT_MS,
  })
  return solution === null ? undefined : btoa(JSON.stringify({ challenge, solution }))
}
