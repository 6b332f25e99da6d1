declare global {
  var __webpack_nonce__: string | undefined
}

/**
 * Dialogs keep the page behind them from scrolling with a style of their own. Our content security policy lets in only
 * what carries the page's nonce; the library (get-nonce) looks for it in this variable.
 */
export function allowStyles(): void {
  globalThis.__webpack_nonce__ = styleNonce()
}

/** The page's nonce, for libraries that are told of it. */
export const styleNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined
