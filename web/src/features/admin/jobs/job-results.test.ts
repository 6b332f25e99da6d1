import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import { expect, it } from 'vitest'
import { JobResults } from './job-results.ts'
import { someJob } from './some-job.ts'

const ended = someJob({ state: 'done' })
const running = someJob({ state: 'running' })

function results() {
  const reported: VideoJob[] = []
  return { reported, results: new JobResults((job) => reported.push(job)) }
}

it('reports the end of a job of this page once', () => {
  const { reported, results: own } = results()
  own.started(running)
  own.changed(running)
  expect(reported).toEqual([])
  own.changed(ended)
  own.changed(ended)
  expect(reported).toEqual([ended])
})

it('reports a job whose end was pushed before the answer to its start', () => {
  const { reported, results: own } = results()
  own.changed(ended)
  own.started(running)
  expect(reported).toEqual([ended])
})

it('reports no job of other pages', () => {
  const { reported, results: own } = results()
  own.changed(ended)
  expect(reported).toEqual([])
})
