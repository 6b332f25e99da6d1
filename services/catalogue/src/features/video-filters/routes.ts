import {
  catalogueVideoFilterCreate,
  catalogueVideoFilterDelete,
  catalogueVideoFilterList,
  catalogueVideoFilterUpdate,
} from '@looptide/contracts/operations/catalogue/library'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { FilterService } from './filter-service.ts'

/** Routes of the saved filters of the library. */
export const filterRoutes = ({ filters }: { filters: FilterService }): Route[] => [
  route(catalogueVideoFilterList, async () => ({ items: await filters.list() })),
  route(catalogueVideoFilterCreate, ({ body, cause }) => filters.create(body, cause)),
  route(catalogueVideoFilterUpdate, ({ params, body, cause }) => filters.update(params.id, body, cause)),
  route(catalogueVideoFilterDelete, ({ params, cause }) => filters.delete(params.id, cause)),
]
