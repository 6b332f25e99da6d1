import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import { expect, it } from 'vitest'
import { jobTitle, progressText, resultText, resultToast } from './job-texts.ts'
import { someJob } from './some-job.ts'

it.each<[Partial<VideoJob>, string]>([
  [{}, 'Edit 20,000 videos'],
  [{ total: 1 }, 'Edit 1 video'],
  [{ kind: 'move', category: 'Classics' }, 'Move 20,000 videos to Classics'],
  [{ kind: 'delete' }, 'Delete 20,000 videos'],
  [{ kind: 'restore' }, 'Restore 20,000 videos'],
  [{ kind: 'import' }, 'Import 20,000 videos'],
  [{ kind: 'undo', undoesKind: 'delete' }, 'Undo the deletion of 20,000 videos'],
])('%j is called "%s"', (job, title) => {
  expect(jobTitle(someJob(job))).toBe(title)
})

it.each<[Partial<VideoJob>, string]>([
  [{ state: 'waiting', done: 0 }, 'Waiting'],
  [{ state: 'running', done: 500 }, '500 done · 19,500 remaining'],
  [{ state: 'running', done: 500, failed: 2 }, '500 done · 2 failed · 19,498 remaining'],
  [{ state: 'running', done: 500, isCancelling: true }, 'Cancelling...'],
])('the progress of %j is "%s"', (job, text) => {
  expect(progressText(someJob(job))).toBe(text)
})

it.each<[Partial<VideoJob>, string]>([
  [{}, '20,000 changed'],
  [{ changed: 19_998, failed: 2 }, '19,998 changed · 2 failed'],
  [{ kind: 'import', changed: 19_998, failed: 2 }, '19,998 added · 2 failed'],
  [{ state: 'cancelled', changed: 7500 }, 'Cancelled: 7,500 of 20,000 changed'],
  [{ state: 'failed', changed: 0 }, 'Stopped by an error: 0 of 20,000 changed'],
])('the result of %j is "%s"', (job, text) => {
  expect(resultText(someJob(job))).toBe(text)
})

it.each<[Partial<VideoJob>, string, string]>([
  [{ changed: 10 }, 'Videos updated', '10 videos updated.'],
  [{ kind: 'move', category: 'Classics', done: 1 }, 'Categories updated', '1 video moved to Classics.'],
  [{ kind: 'delete', changed: 1 }, 'Videos deleted', '1 video deleted.'],
  [
    { kind: 'restore', changed: 0, failed: 1 },
    'No videos restored',
    '0 videos restored. 1 video not restored because the library already has the same URL.',
  ],
  [{ kind: 'undo', undoesKind: 'delete', changed: 1 }, 'Videos restored', '1 video restored.'],
  [
    { kind: 'undo', undoesKind: 'edit', changed: 9, failed: 1 },
    'Edit undone',
    '9 videos restored. 1 video skipped because of later changes.',
  ],
  [{ kind: 'undo', undoesKind: 'restore', changed: 1 }, 'Restoration undone', '1 video deleted.'],
  [
    { kind: 'undo', undoesKind: 'import', changed: 9, failed: 1 },
    'Import undone',
    '9 videos deleted. 1 video not found.',
  ],
  [
    { kind: 'import', done: 12, changed: 10, failed: 1 },
    'Videos added successfully',
    '10 videos added. 2 skipped: already in the library. 1 skipped: not the URL of a playable video.',
  ],
  [
    { kind: 'import', done: 2, changed: 0 },
    'No videos added',
    '0 videos added. 2 skipped: already in the library.',
  ],
  [{ kind: 'import', state: 'cancelled', changed: 500 }, 'Import cancelled', '500 of 20,000 videos added.'],
  [{ state: 'cancelled', changed: 7500 }, 'Edit cancelled', '7,500 of 20,000 videos changed.'],
  [
    { kind: 'undo', undoesKind: 'edit', state: 'failed', changed: 1 },
    'Undo failed',
    '1 of 20,000 videos changed.',
  ],
])('the end of %j is reported as "%s", "%s"', (job, title, description) => {
  expect(resultToast(someJob(job))).toMatchObject({ title, description })
})
