import { chatWordListGet, chatWordListTry, chatWordListUpdate } from '@looptide/contracts/operations/chat'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { WordListService } from './word-list-service.ts'

/** The routes of the word list. */
export const wordListRoutes = ({ words }: { words: WordListService }): Route[] => [
  route(chatWordListGet, async () => {
    const { list, etag } = await words.read()
    return answer(200, list, { etag })
  }),
  route(chatWordListUpdate, async ({ body, cause, expected }) => {
    const { list, etag } = await words.update(body, cause, expected)
    return answer(200, list, { etag })
  }),
  route(chatWordListTry, ({ body }) => words.try(body)),
]
