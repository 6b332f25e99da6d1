/** Background work of a process: loops, timers, leader election. */
export interface Background {
  start(): void | Promise<void>
  /** Resolves when all work in progress has finished. */
  stop(): void | Promise<void>
}

/** Several pieces of background work as one: started in order, stopped together. */
export const together = (works: readonly Background[]): Background => ({
  start: async () => {
    for (const work of works) await work.start()
  },
  stop: async () => void (await Promise.all(works.map((work) => work.stop()))),
})
