import { figureOf, type Item } from '../item.ts'
import { table } from '../table.ts'

const COLUMNS = [
  ['bytes a minute', 'bytesPerMinute'],
  ['up', 'upPerMinute'],
  ['down', 'downPerMinute'],
  ['HTTP requests', 'httpRequests'],
  ['requests to services', 'requestsBeyondGateway'],
  ['gateway, CPU-ms a minute', 'gatewayCpuMsPerMinute'],
  ['all services, CPU-ms a minute', 'servicesCpuMsPerMinute'],
] as const

/** No curve: the cost of a viewer does not depend on the number of others. */
export const idle: Item = {
  name: 'idle',
  steps: [
    { name: 'alone', command: ['idle.ts', '0', '--seconds', '60'] },
    { name: 'among 10', command: ['idle.ts', '10', '--seconds', '60'] },
    { name: 'among 1,000', command: ['idle.ts', '1000', '--seconds', '60'] },
  ],
  tables: (rows) =>
    table(
      ['viewer', ...COLUMNS.map(([title]) => title)],
      rows.map((row) => [
        `${row.input.viewer}, ${row.input.others} others`,
        ...COLUMNS.map(([, figure]) => figureOf(row, figure)),
      ]),
    ),
  pictures: () => [],
}
