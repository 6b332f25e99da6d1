/** One file of a font: `weight` as CSS writes it, one or a range. */
export type FontFile = { url: string; weight: string }
