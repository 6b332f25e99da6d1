import type { MetadataConfig } from '../config.ts'
import type { QuotaLedger } from '../queue/quota-ledger.ts'
import { DataApiClient } from './data-api-client.ts'
import { KeylessClient } from './keyless-client.ts'
import type { YoutubeClient } from './outcome.ts'

/** The Data API where there is a key, the public pages where there is none. Each call waits for its turn. */
export function youtubeClient(youtube: MetadataConfig['youtube'], ledger: QuotaLedger): YoutubeClient {
  const { apiKey: key, apiUrl, siteUrl } = youtube
  if (key === null) return new KeylessClient({ baseUrl: siteUrl, pass: () => ledger.takeTurn() })
  const pass = async (): Promise<void> => {
    await ledger.takeTurn()
    await ledger.spend()
  }
  return new DataApiClient({ baseUrl: apiUrl, key, pass })
}
