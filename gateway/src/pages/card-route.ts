import { gatewayCardRead } from '@looptide/contracts/operations/gateway'
import { errors } from '@looptide/service-kit/http/errors'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { isDrawable } from '../cards/card.ts'
import type { CardPainter } from '../cards/card-painter.ts'
import type { LocalLimits } from '../http/local-limits.ts'
import type { PageMetadataLoader } from './page-metadata-loader.ts'

interface CardRouteDeps {
  metadata: PageMetadataLoader
  painter: CardPainter
  limits: LocalLimits
}

/** The route of the pictures for link previews. They show what the page says now: no text comes from the request. */
export const cardRoute = ({ metadata, painter, limits }: CardRouteDeps): Route =>
  route(
    gatewayCardRead,
    async ({ query: { path }, reply }) => {
      const { card } = await metadata.load(path)
      const png = card && isDrawable(card) ? await painter.paint(card) : undefined
      if (png === undefined) throw errors.notFound('A picture of this page')
      return reply.header('cache-control', 'public, max-age=3600').type('image/png').send(png)
    },
    { onRequest: limits.hook('card') },
  )
