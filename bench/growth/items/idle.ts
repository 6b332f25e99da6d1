import { figureOf, type Item } from '../item.ts'
import { table } from '../table.ts'

/** It has no curve: what a viewer costs does not depend on how many there are. */
export const idle: Item = {
  name: 'idle',
  steps: [{ name: '120 s', command: ['idle.ts', '120'] }],
  tables: (rows) =>
    table(
      ['who only watches', 'bytes a minute', 'up', 'down', 'HTTP requests', 'requests beyond the gateway'],
      rows.map((row) => [
        `${row.input.viewer}, ${row.input.seconds} s`,
        ...['bytesPerMinute', 'upPerMinute', 'downPerMinute', 'httpRequests', 'requestsBeyondGateway'].map(
          (name) => figureOf(row, name),
        ),
      ]),
    ),
  pictures: () => [],
}
