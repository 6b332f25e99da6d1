/** The station's name and texts. Operators override each field by a setting (`BRAND_*`). */
export interface Brand {
  name: string
  shortName: string
  tagline: string
  location: string
}

export const DEFAULT_BRAND: Brand = {
  name: 'Looptide TV',
  shortName: 'Looptide',
  tagline: 'Premium Streaming Entertainment',
  location: 'San Diego',
}
