import { type Static, Type } from 'typebox'
import { Instant, Nullable, strict, Uuid } from '../common.ts'
import { PictureVersion } from '../pictures.ts'
import { Address, Code, Line } from '../text-fields.ts'

const Colour = Code({ pattern: '^#[0-9a-fA-F]{6}$' })
/** An https URL or a path of this site (`//host` would be another site). */
const AssetUrl = Nullable(Address({ maxLength: 2048, pattern: '^(https://|/(?!/))' }))
/** Fonts of a theme. */
export const THEME_FONTS = [
  'Inter',
  'Roboto',
  'Open Sans',
  'Lato',
  'Montserrat',
  'Poppins',
  'Source Sans Pro',
  'Nunito',
  'Raleway',
  'Ubuntu',
  'Playfair Display',
  'Merriweather',
  'Oswald',
  'Dancing Script',
] as const
/** Texts of the cards between videos. An empty `cardStationName` is the station's name. */
const cardTexts = {
  cardStationName: Line({ maxLength: 60 }),
  cardNextText: Line({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  cardPreviousText: Line({ minLength: 1, maxLength: 60, pattern: '\\S' }),
  cardCountdownText: Line({ minLength: 1, maxLength: 60, pattern: '\\S' }),
}
const CardTexts = Type.Object(cardTexts)
export type CardTexts = Static<typeof CardTexts>
export const DEFAULT_CARD_TEXTS: CardTexts = {
  cardStationName: '',
  cardNextText: 'Coming up next',
  cardPreviousText: 'You just saw',
  cardCountdownText: 'Starts in',
}

export const ThemeBody = Type.Object(
  {
    primaryColor: Colour,
    secondaryColor: Colour,
    accentColor: Colour,
    backgroundColor: Colour,
    textColor: Colour,
    fontFamily: Type.Enum(THEME_FONTS),
    fontSize: Type.Integer({ minimum: 12, maximum: 24 }),
    borderRadius: Type.Integer({ minimum: 0, maximum: 20 }),
    logoUrl: AssetUrl,
    heroBackgroundUrl: AssetUrl,
    ...cardTexts,
  },
  strict,
)
export type ThemeBody = Static<typeof ThemeBody>
/** PUT /api/theme. Card texts that are missing get their defaults. */
export const SaveThemeBody = Type.Object(
  { ...ThemeBody.properties, ...Type.Partial(CardTexts).properties },
  strict,
)
export type SaveThemeBody = Static<typeof SaveThemeBody>
export const DEFAULT_THEME: ThemeBody = {
  primaryColor: '#2563eb',
  secondaryColor: '#64748b',
  accentColor: '#f59e0b',
  backgroundColor: '#1f2937',
  textColor: '#ffffff',
  fontFamily: 'Inter',
  fontSize: 16,
  borderRadius: 8,
  logoUrl: null,
  heroBackgroundUrl: null,
  ...DEFAULT_CARD_TEXTS,
}

/** POST /api/theme/assets: a logo or a hero background. */
export const THEME_ASSET_MAX_BYTES = 1_000_000
/** Pixels. */
export const THEME_ASSET_MAX_SIDE = 4096
/** `keep`: the picture is for something else than a theme, such as a channel, and stays without a theme that uses it. */
export const ThemeAssetQuery = Type.Object({ keep: Type.Optional(Type.Boolean()) }, strict)
/** URL of an uploaded picture, for `logoUrl` or `heroBackgroundUrl` of a theme, or `logoUrl` of a channel. */
export const ThemeAsset = Type.Object({ url: Type.String() })
export type ThemeAsset = Static<typeof ThemeAsset>
export const ThemeAssetParams = Type.Object({ version: PictureVersion }, strict)

/** GET /api/theme/history: maximum number of saved themes, latest first. */
export const THEME_HISTORY_LIMIT = 12
/** A saved theme with its author and time. */
export const SavedTheme = Type.Object({ id: Uuid, theme: ThemeBody, createdBy: Uuid, createdAt: Instant })
export type SavedTheme = Static<typeof SavedTheme>
export const ThemeHistory = Type.Object({ items: Type.Array(SavedTheme) })
export type ThemeHistory = Static<typeof ThemeHistory>

function presetTheme(
  primaryColor: string,
  secondaryColor: string,
  accentColor: string,
  backgroundColor: string,
  textColor: string,
  fontFamily: ThemeBody['fontFamily'] = DEFAULT_THEME.fontFamily,
  borderRadius = DEFAULT_THEME.borderRadius,
): ThemeBody {
  const colours = { primaryColor, secondaryColor, accentColor, backgroundColor, textColor }
  return { ...DEFAULT_THEME, ...colours, fontFamily, borderRadius }
}

/** Preset themes. The first is the default. */
export const THEME_PRESETS: readonly { name: string; theme: ThemeBody }[] = [
  { name: 'Default Dark', theme: presetTheme('#2563eb', '#64748b', '#f59e0b', '#1f2937', '#ffffff') },
  {
    name: 'Ocean Blue',
    theme: presetTheme('#0284c7', '#0e7490', '#22d3ee', '#082f49', '#f0f9ff', 'Open Sans', 10),
  },
  {
    name: 'Sunset Orange',
    theme: presetTheme('#ea580c', '#b45309', '#fbbf24', '#2a1208', '#fff7ed', 'Poppins', 12),
  },
  {
    name: 'Forest Green',
    theme: presetTheme('#15803d', '#4d7c0f', '#a3e635', '#0b1f14', '#f0fdf4', 'Lato', 6),
  },
  {
    name: 'Royal Purple',
    theme: presetTheme('#7c3aed', '#6d28d9', '#f0abfc', '#1e1033', '#faf5ff', 'Raleway', 10),
  },
  {
    name: 'Rose Gold',
    theme: presetTheme('#be5a6e', '#9f7467', '#f2b8a0', '#2b171b', '#fff1f2', 'Playfair Display', 14),
  },
  {
    name: 'Cyber Neon',
    theme: presetTheme('#d946ef', '#0891b2', '#39ff14', '#09090f', '#f4f4ff', 'Oswald', 2),
  },
  {
    name: 'Warm Amber',
    theme: presetTheme('#d97706', '#92764f', '#fde68a', '#231a0c', '#fffbeb', 'Merriweather', 8),
  },
  {
    name: 'Cool Mint',
    theme: presetTheme('#0d9488', '#5b8a86', '#99f6e4', '#0a2322', '#f0fdfa', 'Nunito', 16),
  },
  {
    name: 'Midnight Blue',
    theme: presetTheme('#3b5bdb', '#475569', '#93c5fd', '#0a1027', '#eef2ff', 'Montserrat', 8),
  },
]
