import type { Home } from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/use-topic.ts'
import { visitSeed } from './visit-seed.ts'

/** Hero and rows of the home page; the same ones for as long as this visit lasts. Curation shows at once. */
export function useHome() {
  const answer = useSWR(['/api/home', visitSeed()], ([path, seed]) =>
    api.get<Home>(path, { query: { seed }, anonymous: true }),
  )
  useTopic('station', topics.station, { home: () => void answer.mutate() })
  return answer
}
