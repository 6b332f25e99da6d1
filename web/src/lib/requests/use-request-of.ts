import type { ProgrammeReason } from '@looptide/contracts/http/channels'
import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { READ_ONCE, useCall } from '../api/use-call.ts'
import { useConfig } from '../api/use-config.ts'

/** The viewer's request that a programme is, planned or on the air; undefined for one that is none, and until it is loaded. */
export function useRequestOf(reason: ProgrammeReason | null): ViewerRequest | undefined {
  const { requests } = useConfig()
  const requestId = requests ? reason?.requestId : undefined
  const input = requestId === undefined ? null : { params: { requestId } }
  return useCall('GET /api/requests/:requestId', input, { anonymous: true, ...READ_ONCE }).data
}
