import type { ThemeBody } from '@looptide/contracts/http/themes'
import { contrast, inkOn, luminance, mix, readable } from './colours.ts'

/** WCAG 2.2 AA: text 4.5, large shapes and focus 3. */
const TEXT_RATIO = 4.5
const SHAPE_RATIO = 3

const DEFAULT_SIZE_PX = 16

/** The surfaces around the picture, which are dark in every theme: see `.dark-surface` in tokens.css. */
export const DARK_SURFACES = ['#000000', '#14171b', '#20242a']

/** A URL as a CSS value, with the characters escaped that could end it. */
const cssUrl = (address: string): string => `url("${address.replace(/["\\\s]/g, encodeURIComponent)}")`

/**
 * The `--theme-*` variables of tokens.css for a theme. Colours without sufficient contrast are moved towards black or
 * white, so that text meets WCAG AA with every theme.
 */
export function themeVariables(theme: ThemeBody): Record<string, string> {
  const background = theme.backgroundColor
  const ink = contrast(theme.textColor, background) >= TEXT_RATIO ? theme.textColor : inkOn(background)
  const isLight = luminance(ink) >= luminance(background)
  const extreme = isLight ? '#ffffff' : '#000000'
  // Shades of the page are moved away from the text colour, so that contrast only increases.
  const deep = mix(background, isLight ? '#000000' : '#ffffff', 0.66)
  // Surfaces are mixed from the page towards the text colour, or from the darker shade where contrast would be
  // insufficient.
  const base = contrast(extreme, mix(background, ink, 0.1)) >= TEXT_RATIO ? background : deep
  const panel = mix(base, ink, 0.05)
  const raised = mix(base, ink, 0.1)
  const surfaces = [background, deep, panel, raised]
  const text = readable(ink, extreme, surfaces, TEXT_RATIO)
  return {
    '--theme-background': background,
    '--theme-deep': deep,
    '--theme-panel': panel,
    '--theme-raised': raised,
    '--theme-line': mix(base, ink, 0.2),
    '--theme-edge': readable(mix(deep, ink, 0.3), extreme, surfaces, SHAPE_RATIO),
    '--theme-text': text,
    '--theme-muted': readable(mix(text, background, 0.3), extreme, surfaces, TEXT_RATIO),
    '--theme-primary': theme.primaryColor,
    '--theme-primary-edge': readable(theme.primaryColor, extreme, [background, deep, panel], SHAPE_RATIO),
    '--theme-on-primary': inkOn(theme.primaryColor),
    '--theme-secondary': theme.secondaryColor,
    '--theme-on-secondary': inkOn(theme.secondaryColor),
    '--theme-accent': theme.accentColor,
    '--theme-on-accent': inkOn(theme.accentColor),
    '--theme-link': readable(theme.primaryColor, extreme, surfaces, TEXT_RATIO),
    '--theme-focus': readable(theme.accentColor, extreme, surfaces, SHAPE_RATIO),
    '--theme-dark-primary-edge': readable(theme.primaryColor, '#ffffff', DARK_SURFACES, SHAPE_RATIO),
    '--theme-dark-link': readable(theme.primaryColor, '#ffffff', DARK_SURFACES, TEXT_RATIO),
    '--theme-dark-focus': readable(theme.accentColor, '#ffffff', DARK_SURFACES, SHAPE_RATIO),
    '--theme-scheme': isLight ? 'dark' : 'light',
    '--theme-font': `"${theme.fontFamily}"`,
    '--theme-scale': String(theme.fontSize / DEFAULT_SIZE_PX),
    '--theme-radius': `${theme.borderRadius}px`,
    '--theme-hero-background': theme.heroBackgroundUrl === null ? 'none' : cssUrl(theme.heroBackgroundUrl),
  }
}
