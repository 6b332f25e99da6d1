import type { DebugSource } from './debug-report.ts'

const BYTES_PER_MIB = 2 ** 20

/** The operating system's view of this process. */
export const processSource: DebugSource = {
  title: 'Process',
  read: () => [
    {
      pid: process.pid,
      node: process.version,
      uptimeS: Math.round(process.uptime()),
      memoryMiB: Math.round(process.memoryUsage.rss() / BYTES_PER_MIB),
    },
  ],
}
