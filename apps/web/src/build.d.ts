/** The page's version; inserted by the build. */
declare const __TMPM_VERSION__: string;

/** The build emits these as separate files. */
declare module "*.css";
