import type { IBarmanObjectStoreConfiguration } from '@kubernetes-models/cloudnative-pg/github.com/cloudnative-pg/barman-cloud/pkg/api/BarmanObjectStoreConfiguration'
import type { IScheduledBackup } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/ScheduledBackup'

/** Backup target of CloudNativePG's Barman Cloud plugin: the part of its CRD 0.13 that we use. */
export interface IObjectStore {
  apiVersion: 'barmancloud.cnpg.io/v1'
  kind: 'ObjectStore'
  metadata: IScheduledBackup['metadata']
  spec: {
    configuration: IBarmanObjectStoreConfiguration
    /** Number of days, weeks or months: `30d`. */
    retentionPolicy?: `${number}${'d' | 'w' | 'm'}`
  }
}
