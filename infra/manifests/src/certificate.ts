/** The fields of cert-manager's Certificate (https://cert-manager.io/docs/reference/api-docs/) that we use. */
export interface ICertificate {
  apiVersion: 'cert-manager.io/v1'
  kind: 'Certificate'
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  spec: {
    secretName: string
    commonName?: string
    dnsNames?: string[]
    isCA?: boolean
    duration: `${number}h`
    renewBefore: `${number}h`
    usages?: ('digital signature' | 'server auth' | 'client auth')[]
    privateKey: { algorithm: 'ECDSA'; size: 256; rotationPolicy: 'Always' | 'Never' }
    issuerRef: { kind: 'Issuer'; name: string }
  }
}
