declare global {
  var __webpack_nonce__: string | undefined
}

/**
 * Dialogs keep the page behind them from scrolling with a style of their own. Our content security policy lets in only
 * what carries the page's nonce; the library (get-nonce) looks for it in this variable.
 */
export function allowStyles(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
  globalThis.__webpack_nonce__ = meta?.nonce || undefined
}
