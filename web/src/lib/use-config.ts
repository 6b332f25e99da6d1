import { type Brand, DEFAULT_BRAND } from '@looptide/contracts/brand'
import type { WebConfig } from '@looptide/contracts/realtime'
import useSWRImmutable from 'swr/immutable'
import { api } from './clients.ts'

const DEFAULTS: WebConfig = {
  brand: DEFAULT_BRAND,
  apiKey: '',
  youtubeBaseUrl: 'https://www.youtube.com',
  mailConfirmation: false,
  defaultChannelId: 'default',
  fallbackChannelId: 'test-card',
}

/**
 * The station's settings; the defaults until they are here, and when they cannot be had. `isSettled` once it is
 * clear which of these.
 */
export function useConfig(): WebConfig & { isSettled: boolean } {
  const { data, error } = useSWRImmutable('/api/config', (path: string) =>
    api.get<WebConfig>(path, { anonymous: true }),
  )
  return { ...(data ?? DEFAULTS), isSettled: data !== undefined || error !== undefined }
}

/** What the station calls itself. */
export const useBrand = (): Brand => useConfig().brand
