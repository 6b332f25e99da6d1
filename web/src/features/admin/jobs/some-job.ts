import type { VideoJob } from '@looptide/contracts/http/video-jobs'

/** A job for tests. */
export const someJob = (parts: Partial<VideoJob> = {}): VideoJob => ({
  id: '0193a000-0000-7000-8000-000000000001',
  kind: 'edit',
  state: 'done',
  isCancelling: false,
  total: 20_000,
  done: 20_000,
  failed: 0,
  changed: 20_000,
  category: null,
  startedBy: null,
  cancelledBy: null,
  createdAt: '2026-11-27T15:00:00.000Z',
  startedAt: null,
  finishedAt: null,
  canCancel: false,
  canUndo: true,
  undoes: null,
  undoesKind: null,
  undoneBy: null,
  ...parts,
})
