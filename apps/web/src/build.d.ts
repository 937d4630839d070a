/** The version that this page was built from; put in by the build. */
declare const __TMPM_VERSION__: string;

/** The build makes files of their own of these. */
declare module "*.css";
