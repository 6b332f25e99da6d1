import { expect, it } from 'vitest'
import { EXIT } from './exit-codes.ts'
import { run } from './run.ts'

/** Runs a command without a station; returns its exit code and what it printed to stderr. */
async function attempt(...args: string[]): Promise<{ code: number; err: string }> {
  const lines: string[] = []
  const err = (text: string) => void lines.push(text)
  const code = await run(args, { env: {}, out: () => undefined, err, ask: undefined })
  return { code, err: lines.join('\n') }
}

it.each([
  [
    ['metadata', 'refresh'],
    /^Specify which videos: exactly one of --video, --channel, --pending and --failed\.$/,
  ],
  [['metadata', 'refresh', '--pending', '--failed'], /^Specify which videos: exactly one of /],
  [['dead-letters', 'replay', 'chat'], /^Specify which dead letters: either their ids or --all\.$/],
  [
    ['dead-letters', 'replay', 'chat', '7', '--all'],
    /^Specify which dead letters: either their ids or --all\.$/,
  ],
  [['sessions', 'end'], /^Specify whose sessions to end: --user or --all\.$/],
  [['users', 'update', 'a@example.test'], /^Specify what to change, for example --email \(see --help\)\.$/],
  [['schedule', 'restore', 'default', '0'], /Expected a version number, from 1\./],
  [['channels', 'requests', 'default', '1'], /Expected a whole number from 2 to 100, or off\./],
  [['timeline', 'verify', '--hours', '0'], /Expected a whole number from 1 to 2160\./],
])('%j ends with a sentence that says which option is missing or wrong', async (args, sentence) => {
  expect(await attempt(...args)).toEqual({ code: EXIT.usage, err: expect.stringMatching(sentence) })
})
