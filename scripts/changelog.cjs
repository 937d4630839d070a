/** Lines of the changelogs: only the text of the changeset. The workspace's packages share one version, so lists of updated dependencies are redundant. */
module.exports = {
  async getReleaseLine({ summary }) {
    return `\n${summary.trim()}`;
  },
  async getDependencyReleaseLine() {
    return "";
  },
};
