import { InvalidArgumentError } from 'commander'
import { count } from '../count.ts'
import { CommandError, EXIT } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import { readChannel, readChannels } from '../timeline/read-channel.ts'
import { type Finding, verifyChannel } from '../timeline/verify-channel.ts'
import type { AddCommands } from './add-commands.ts'

const HOUR_MS = 3_600_000

/** Adds `timeline`. */
export const addTimelineCommands: AddCommands = (program, act) => {
  program
    .command('timeline')
    .description('timelines of channels')
    .command('verify')
    .description('find gaps, overlaps, wrong durations and differences from the air log')
    .argument('[channels...]', 'default: all that are on the air')
    .option('--hours <n>', 'how far back to read the air log', wholeHours, 24)
    .addHelpText('after', '\nExits with 1 and lists every fault.')
    .action(
      act((session, channels: string[], options: { hours: number }) =>
        verify(session, channels, options.hours * HOUR_MS),
      ),
    )
}

function wholeHours(text: string): number {
  const hours = Number(text)
  if (!Number.isInteger(hours) || hours < 1 || hours > 24 * 90)
    throw new InvalidArgumentError('Expected a whole number from 1 to 2160.')
  return hours
}

async function verify(session: Session, wanted: readonly string[], backMs: number): Promise<void> {
  const station = await session.station()
  const channels = await readChannels(station, wanted)
  const results: { channelId: string; programmes: number; logged: number; findings: Finding[] }[] = []
  for (const channel of channels) {
    const facts = await readChannel(station, channel, backMs)
    const findings = verifyChannel(facts)
    results.push({
      channelId: channel.id,
      programmes: facts.programmes.length,
      logged: facts.airLog.length,
      findings,
    })
  }
  const lines = results.flatMap(({ channelId, programmes, logged, findings }) => [
    `${channelId}: ${count(programmes, 'programme')}, air log of ${count(logged, 'line')}, ${findings.length === 0 ? 'no faults' : count(findings.length, 'fault')}`,
    ...findings.map(
      (finding) => `  ${finding.kind} at ${new Date(finding.atMs).toISOString()}: ${finding.what}`,
    ),
  ])
  session.report(results, lines.join('\n'))
  const faults = results.reduce((sum, { findings }) => sum + findings.length, 0)
  if (faults > 0) throw new CommandError(EXIT.fault, `The timeline has ${count(faults, 'fault')}.`)
}
