import type {
  PublishedSchedule,
  PublishPreview,
  PublishResult,
  ScheduleDraft,
  SchedulePreview,
  ScheduleVersion,
} from '@looptide/contracts/http/schedules'
import type { StationApi, Tagged } from '../station-api.ts'

/** The schedule of one channel at the station. Methods throw the errors of {@link StationApi}. */
export class ScheduleApi {
  readonly #station: StationApi
  readonly #path: string

  constructor(station: StationApi, channelId: string) {
    this.#station = station
    this.#path = `/api/channels/${encodeURIComponent(channelId)}/schedule`
  }

  published(): Promise<PublishedSchedule> {
    return this.#station.get(this.#path)
  }

  draft(): Promise<Tagged<ScheduleDraft>> {
    return this.#station.getTagged(`${this.#path}/draft`)
  }

  saveDraft(document: object, etag: string): Promise<Tagged<ScheduleDraft>> {
    return this.#station.putTagged(`${this.#path}/draft`, document, etag)
  }

  /** What publishing a document would change. */
  compare(document: object): Promise<PublishPreview> {
    return this.#station.plan(`${this.#path}/publish/preview`, { document })
  }

  publish(etag: string): Promise<PublishResult> {
    return this.#station.plan(`${this.#path}/publish`, undefined, etag)
  }

  versions(): AsyncGenerator<ScheduleVersion> {
    return this.#station.list(`${this.#path}/versions`)
  }

  restore(version: number): Promise<PublishResult> {
    return this.#station.plan(`${this.#path}/versions/${version}/restore`)
  }

  /** What would be on the air, with `document` or else with the draft. */
  preview(span: { from: string; to: string }, document?: object): Promise<SchedulePreview> {
    return this.#station.plan(`${this.#path}/preview`, { ...span, ...(document && { document }) })
  }
}
