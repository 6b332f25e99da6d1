declare global {
  var __webpack_nonce__: string | undefined
}

/**
 * Lets the dialog library add its style element, which stops the page behind a dialog from scrolling. The content
 * security policy requires the page's nonce on it; the library (get-nonce) reads the nonce from this variable.
 */
export function allowStyles(): void {
  globalThis.__webpack_nonce__ = styleNonce()
}

/** The page's nonce, for libraries that accept one. */
export const styleNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined
