/** What the station calls itself. An operator overrides each field by configuration (`BRAND_*`). */
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
