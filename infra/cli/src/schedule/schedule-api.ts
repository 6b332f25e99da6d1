import type {
  PublishedSchedule,
  PublishPreview,
  PublishResult,
  ScheduleDraft,
  SchedulePreview,
  ScheduleVersion,
} from '@looptide/contracts/http/schedules'
import { PLAN, type StationApi, type Tagged } from '../station-api.ts'

/** The schedule of one channel at the station. Methods throw the errors of {@link StationApi}. */
export class ScheduleApi {
  readonly #station: StationApi
  readonly #params: { id: string }

  constructor(station: StationApi, channelId: string) {
    this.#station = station
    this.#params = { id: channelId }
  }

  published(): Promise<PublishedSchedule> {
    return this.#station.call('GET /api/channels/:id/schedule', { params: this.#params })
  }

  draft(): Promise<Tagged<ScheduleDraft>> {
    return this.#station.callVersioned('GET /api/channels/:id/schedule/draft', { params: this.#params })
  }

  saveDraft(document: object, etag: string): Promise<Tagged<ScheduleDraft>> {
    const input = { params: this.#params, body: document }
    return this.#station.callVersioned('PUT /api/channels/:id/schedule/draft', input, { ifMatch: etag })
  }

  /** What publishing a document would change. */
  compare(document: object): Promise<PublishPreview> {
    const input = { params: this.#params, body: { document } }
    return this.#station.call('POST /api/channels/:id/schedule/publish/preview', input, PLAN)
  }

  publish(etag: string, note: string | undefined): Promise<PublishResult> {
    const input = { params: this.#params, body: note === undefined ? {} : { note } }
    return this.#station.call('POST /api/channels/:id/schedule/publish', input, { ...PLAN, ifMatch: etag })
  }

  /** Submits the saved draft for approval. */
  submit(etag: string, note: string | undefined): Promise<ScheduleDraft> {
    const input = { params: this.#params, body: note === undefined ? {} : { note } }
    return this.#station.call('PUT /api/channels/:id/schedule/draft/submission', input, { ifMatch: etag })
  }

  versions(): AsyncGenerator<ScheduleVersion> {
    return this.#station.list('GET /api/channels/:id/schedule/versions', { params: this.#params })
  }

  restore(version: number): Promise<PublishResult> {
    const params = { ...this.#params, version }
    return this.#station.call('POST /api/channels/:id/schedule/versions/:version/restore', { params }, PLAN)
  }

  /** What would be on the air, with `document` or else with the draft. */
  preview(span: { from: string; to: string }, document?: object): Promise<SchedulePreview> {
    const input = { params: this.#params, body: { ...span, ...(document && { document }) } }
    return this.#station.call('POST /api/channels/:id/schedule/preview', input, PLAN)
  }
}
