/** cert-manager's Issuer: self-signed, or an authority whose key is in a secret. */
export interface IIssuer {
  apiVersion: 'cert-manager.io/v1'
  kind: 'Issuer'
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  spec: { selfSigned: object } | { ca: { secretName: string } }
}
