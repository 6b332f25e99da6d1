import { LIVE_SUBJECTS } from '@looptide/contracts/events'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ReactionRecorder } from '../src/features/reactions/reaction-recorder.ts'
import { type AudienceHarness, startAudienceHarness } from './_harness.ts'

let harness: AudienceHarness
beforeAll(async () => {
  harness = await startAudienceHarness()
})
afterAll(() => harness.stop())

/** A replica that receives reports of gateways and then ends, beside the harness's own. */
async function record(...reports: object[]): Promise<void> {
  const { db, nats, clock } = harness
  const logger = createLogger('test', 'silent')
  const recorder = new ReactionRecorder({ db, nats, logger, now: () => clock.nowMs })
  recorder.start()
  for (const report of reports) nats.publish(LIVE_SUBJECTS.reactions('any'), JSON.stringify(report))
  // Of one connection, the server delivers what was published before it answers.
  await nats.flush()
  await recorder.stop()
}

const report = (gatewayId: string, airingId: string, counts: object, channelId = 'default') => ({
  gatewayId,
  airings: [{ channelId, airingId, counts }],
})

const stored = (airingId: string) =>
  harness.db
    .selectFrom('reactions')
    .select(['gateway', 'counts', 'total'])
    .where('airingId', '=', airingId)
    .orderBy('gateway')
    .execute()

it('stores the newest numbers of each gateway once, in whatever order and however often they are reported', async () => {
  await record(report('one', 'a1', { '❤️': 2 }))
  await record(
    report('one', 'a1', { '❤️': 3 }),
    report('one', 'a1', { '❤️': 5, '🔥': 1 }),
    report('two', 'a1', { '❤️': 1 }),
    report('one', 'a2', { '🎉': 1 }),
  )
  // A replica that has missed the newer ones.
  await record(report('one', 'a1', { '❤️': 3 }), report('two', 'a1', { '❤️': 1 }))
  expect(await stored('a1')).toEqual([
    { gateway: 'one', counts: { '❤️': 5, '🔥': 1 }, total: 6 },
    { gateway: 'two', counts: { '❤️': 1 }, total: 1 },
  ])
  expect(await stored('a2')).toEqual([{ gateway: 'one', counts: { '🎉': 1 }, total: 1 }])
})

it('ignores what is no report, and reactions that do not exist', async () => {
  await record({}, report('one', 'a3', { '❤️': 'many' }), report('one', 'a4', { '👏': 2, '💣': 9 }))
  expect(await stored('a3')).toEqual([])
  expect(await stored('a4')).toEqual([{ gateway: 'one', counts: { '👏': 2 }, total: 2 }])
})

it('deletes the reactions of a channel with it', async () => {
  await record(report('one', 'b1', { '😮': 1 }, 'gone'), report('one', 'b2', { '😮': 1 }, 'kept'))
  await harness.publish('stream.channel.deleted.v1', 'gone', { channelId: 'gone' })
  expect(await stored('b1')).toEqual([])
  expect(await stored('b2')).toHaveLength(1)
})
