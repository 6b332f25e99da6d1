import { type Static, Type } from 'typebox'
import { Nullable } from '../common.ts'

/** Viewers of one country whose players reported an error of a video, and the codes of these errors. */
export const ProblemCountry = Type.Object({
  /** ISO 3166-1 alpha-2; null for viewers whose country is unknown. */
  country: Nullable(Type.String({ pattern: '^[A-Z]{2}$' })),
  viewers: Type.Integer({ minimum: 1 }),
  errorCodes: Type.Array(Type.Integer()),
})
export type ProblemCountry = Static<typeof ProblemCountry>
