import type { MetadataConfig } from '../config.ts'
import type { QuotaLedger } from '../queue/quota-ledger.ts'
import { DataApiClient } from './data-api-client.ts'
import { KeylessClient } from './keyless-client.ts'
import type { YoutubeClient } from './outcome.ts'

/** Creates the client: the Data API with an API key, oEmbed and watch pages without. The ledger limits its calls. */
export function youtubeClient(youtube: MetadataConfig['youtube'], ledger: QuotaLedger): YoutubeClient {
  const { apiKey: key, apiUrl, siteUrl } = youtube
  if (key === null) return new KeylessClient({ baseUrl: siteUrl, acquire: () => ledger.waitForRateLimit() })
  const acquire = async (): Promise<void> => {
    await ledger.waitForRateLimit()
    await ledger.spend()
  }
  return new DataApiClient({ baseUrl: apiUrl, key, acquire })
}
