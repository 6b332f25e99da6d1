/** One file of a font: `weight` as CSS writes it, one or a range. */
export interface FontFile {
  url: string
  weight: string
}
